//! Starting agents: what a plan says, what is refused, what streams tell, and real processes from start to end.

mod narrowing;
mod processes;
mod streams;
mod support;
mod widening;
