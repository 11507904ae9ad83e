//! The `tuckbox` program.

/// The store's commits allocate and free on different threads, which this allocator does without waiting.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    functions_host::cli::main()
}
