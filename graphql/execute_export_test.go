package graphql

// LimitBytes makes answers end earlier.
func (s *Service) LimitBytes(n int) { s.maxBytes = n }
