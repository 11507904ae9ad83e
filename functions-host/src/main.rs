//! The tuckbox binary.
fn main() {}
