"""What must hold for every algorithm, whatever its promise: each check says which mistakes it catches."""
