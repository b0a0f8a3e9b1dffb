// The languages whose programs Tare builds: the name of the folder of each. A further language is a folder and its line.
//
// Their tools are asked in this order, and hints are looked for in it; so are settings of jobs shown.
languages! {
    rust
    cpp
    c
    cuda
    hip
    dotnet
    go
    java
    javascript
    python
}
