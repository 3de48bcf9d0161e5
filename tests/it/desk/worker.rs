//! The worker as a program of its own, for the tests of the use cases: what hosts run as a hidden subcommand.

fn main() -> std::io::Result<()> {
    repo::run_worker()
}
