package domains

// Bridger is a Backend that follows the bridges of its domains itself. Alone it looks for
// their targets among its own domains.
type Bridger interface {
	// Among is the back end as a part of all: targets are looked for there, as the principal
	// sees them whom all was made for. It is cheap and not to be closed.
	Among(all Backend) Backend
}
