package rdfgraph

// HoldAside keeps large folders from being loaded aside until release is called.
func (b *Backend) HoldAside() (release func()) {
	b.heavy <- struct{}{}
	return func() { <-b.heavy }
}

// SlowSize is the size of a folder from which it is loaded aside.
const SlowSize = slowSize
