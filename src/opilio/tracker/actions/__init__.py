"""Everything that changes rows of the tracker."""
