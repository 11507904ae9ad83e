//! The `tuckbox` program.

fn main() -> std::process::ExitCode {
    functions_host::cli::main()
}
