//! The worker as a program of its own, for tests and benches: what hosts run as a hidden subcommand.

fn main() -> std::io::Result<()> {
    repo::run_worker()
}
