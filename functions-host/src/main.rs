//! The `tuckbox` program.

/// The store allocates and frees commits on different threads, which this allocator does without contention.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    functions_host::cli::main()
}
