use crate::toolchain::hints::Hint;

pub(super) const HINTS: &[Hint] = &[
    (&["go.mod requires go >= {} "], "use Go {} or later: install it, or set `GOTOOLCHAIN=auto`"),
    (
        &["testing.Loop requires go1.24"],
        "raise the version in go.mod: `go mod edit -go=1.24`; or write `for i := 0; i < b.N; i++`",
    ),
    // It also reports this for a missing package, as any package is missing without a module.
    (&["go.mod file not found"], "make the folder a module: `go mod init example.org/name`"),
    (&["no required module provides package {};"], "add the module: `go get {}`"),
    (&["missing go.sum entry for {}"], "complete go.sum: `go mod tidy`"),
    (&["updates to go.mod needed"], "complete go.mod: `go mod tidy`"),
    (
        &["inconsistent vendoring", "cannot find module ... -mod=vendor"],
        "bring the vendor folder up to date: `go mod vendor`",
    ),
    (
        &["current directory is contained in a module that is not one of the workspace modules"],
        "add the module to the workspace: `go work use .`; or leave the workspace: `GOWORK=off`",
    ),
    (&["build constraints exclude all Go files"], "give the build tags that the files want: `--job '-tags=NAME'`"),
    (
        &["GOPROXY list is not the empty string", "dial tcp"],
        "a module must be downloaded: run `go mod download` with network access first",
    ),
    (
        &["cgo: C compiler ... not found"],
        "install a C compiler: `apt install gcc libc6-dev`; or build without C: `CGO_ENABLED=0`",
    ),
];

#[cfg(test)]
mod tests {
    use crate::toolchain::hints::of_output;

    #[test]
    fn what_go_says_has_its_hint() {
        let said =
            "a_test.go:5:2: no required module provides package example.org/x; to add it:\n\tgo get example.org/x\n";
        assert_eq!(of_output(said).as_deref(), Some("add the module: `go get example.org/x`"));
        let said = "a_test.go:6:2: no required module provides package example.org/x: go.mod file not found in current directory or any parent directory; see 'go help modules'\n";
        assert!(of_output(said).is_some_and(|hint| hint.contains("`go mod init")));
        let said = "go: go.mod requires go >= 1.30 (running go 1.26.8; GOTOOLCHAIN=local)\n";
        assert!(of_output(said).is_some_and(|hint| hint.starts_with("use Go 1.30 or later")));
    }
}
