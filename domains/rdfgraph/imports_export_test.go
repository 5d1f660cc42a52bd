package rdfgraph

// HeadsRead counts the files of the ontology path of which the head was read.
func (b *Backend) HeadsRead() int {
	if b.path == nil {
		return 0
	}
	b.path.mu.Lock()
	defer b.path.mu.Unlock()
	return len(b.path.heads)
}
