// The languages whose programs Tare builds: the name of the folder of each. A further language is a folder and its line.
//
// Hints are looked for in this order.
languages! {
    rust
    cpp
    c
    dotnet
}
