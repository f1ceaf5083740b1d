"""The items side by side: `lines` are written block by block, which `block` reads; `outset` is what all lines
rest on."""
