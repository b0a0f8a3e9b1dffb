//! The machine's GPUs, according to their driver, without waking them.

use super::tree::{field, Tree};

/// Model names, in order of bus address. NVIDIA's driver has a file for each; AMD's only if the firmware gives a name.
pub(super) fn read(tree: Tree) -> Vec<String> {
    let nvidia = tree.names("proc/driver/nvidia/gpus").into_iter().filter_map(|address| {
        let text = tree.text(&format!("proc/driver/nvidia/gpus/{address}/information"))?;
        field(&text, "Model", ':').map(str::to_owned)
    });
    let amd = tree.names("sys/bus/pci/drivers/amdgpu").into_iter().filter(|name| name.contains(':')).map(|address| {
        let name =
            tree.text(&format!("sys/bus/pci/drivers/amdgpu/{address}/product_name")).filter(|name| !name.is_empty());
        name.unwrap_or_else(|| "AMD GPU".to_owned())
    });
    nvidia.chain(amd).collect()
}
