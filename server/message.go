package server

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// initializeLimit is the most bytes of a message that begins a session: mcp-go keeps
// what it says of the client as long as the session lives.
const initializeLimit = 16 << 10

// unfit is the error for a message whose id would not come back as it was written;
// nil for any other. mcp-go reads numbers as float64, which hold integers up to
// 2^53−1 (RFC 8259 §6), and a client waits for ever for an id that it did not send.
func unfit(message []byte) (answer []byte) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(message, &m) != nil || idReturns(string(m.ID)) {
		return nil
	}
	// An id that is a number, and constants, always encode.
	answer, _ = json.Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   any             `json:"error"`
	}{"2.0", m.ID, mcp.NewJSONRPCErrorDetails(mcp.INVALID_REQUEST,
		"The id of a request is a text, or an integer between −(2^53−1) and 2^53−1.", nil)})
	return answer
}

// idReturns reports whether an id is sent back as it came.
func idReturns(id string) bool {
	if id == "" || !strings.ContainsRune("-0123456789", rune(id[0])) {
		return true
	}
	const most = 1<<53 - 1
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		return -most <= n && n <= most
	}
	f, err := strconv.ParseFloat(id, 64)
	return err == nil && math.Abs(f) <= most
}

// tooLargeToBegin is the answer to an initialize request over the limit.
var tooLargeToBegin = fmt.Sprintf("An initialize request may have %d KiB at most.", initializeLimit>>10)
