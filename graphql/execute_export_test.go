package graphql

// LimitBytes makes answers end earlier.
func (s *Service) LimitBytes(n int) { s.maxBytes = n }

// ReadAheadFrom makes groups of n nodes large.
func (s *Service) ReadAheadFrom(n int) { s.aheadFrom = n }
