fn main() {
    // The page is built into the program; a new one makes a new program.
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::build();
}
