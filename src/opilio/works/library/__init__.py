"""What `import opilio` offers: the works behind few names, with plain values in and out."""
