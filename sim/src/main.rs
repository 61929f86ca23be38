//! The `trackside` command; see [`trackside_sim::cli`].

fn main() -> std::process::ExitCode {
    trackside_sim::cli::main()
}
