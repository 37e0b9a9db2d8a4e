"""What `opilio doctor` looks at: each check gives a finding with its remedy."""
