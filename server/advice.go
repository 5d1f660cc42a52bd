package server

import (
	"errors"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// withinReach takes out of an error of a back end the sentences that advise tools which
// the call's domain, or the server, does not offer: a back end knows no tool list. What server and
// policy refuse stays as it is.
func (c *call) withinReach(err error) error {
	var told *domains.Error
	if !errors.As(err, &told) || told.Message == "" ||
		!errors.Is(told.Kind, domains.ErrUpstream) && !errors.Is(told.Kind, domains.ErrLimit) {
		return err
	}
	message := c.offeredOnly(told.Message)
	if message == told.Message {
		return err
	}
	within := *told
	within.Message = message
	return &within
}

// offeredOnly is a text without the sentences that name a tool which the call's domain
// does not offer; the whole text when nothing else would be left.
func (c *call) offeredOnly(text string) string {
	var kept []string
	for sentence := range strings.SplitAfterSeq(text, ". ") {
		if !c.namesHidden(sentence) {
			kept = append(kept, sentence)
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}

// namesHidden reports whether a sentence names a tool that the domain does not offer; in a
// call of no domain, one that no domain offers here.
func (c *call) namesHidden(sentence string) bool {
	for _, t := range c.server.tools {
		if strings.Contains(sentence, t.Name) && !c.server.shows(c.domain, t) {
			return true
		}
	}
	return false
}
