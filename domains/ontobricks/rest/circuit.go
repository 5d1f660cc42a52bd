package rest

import "github.com/sony/gobreaker/v2"

type breaker = gobreaker.TwoStepCircuitBreaker[struct{}]
