"""The items side by side: `lines` are written block by block, of `parts`; `block` reads one; `outset` is what all lines
rest on."""
