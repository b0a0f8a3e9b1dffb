// The texts and digests of values: the file beside this one is the front end's own, which is a part of `testing`.
package testing

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestTextsAndDigests(t *testing.T) {
	file, err := os.Open("../../../../spec/digests.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines, seen := bufio.NewScanner(file), 0
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		columns := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(columns[0], "#") || len(columns) != 4 {
			continue
		}
		value, known := read(columns[0], columns[1])
		if !known {
			t.Errorf("kind %q is not known", columns[0])
			continue
		}
		seen++
		text, ok := tareText(value)
		if !ok || tareDigest(text) != columns[2] {
			t.Errorf("%s: the text is %q, digest %s", lines.Text(), text, tareDigest(text))
		}
		var wanted string
		if json.Unmarshal([]byte(columns[3]), &wanted) == nil && wanted != text && columns[0] != "text" {
			t.Errorf("%s: the text is %q", lines.Text(), text)
		}
	}
	if seen < 50 {
		t.Errorf("only %d values were read", seen)
	}
}

type panics struct{}

func (panics) String() string { panic("asked") }

func TestValuesWithoutAText(t *testing.T) {
	self := make([]any, 1)
	self[0] = self
	var number *big.Int
	for _, none := range []any{nil, panics{}, self, number, make(chan int), map[string]int{}} {
		if text, ok := tareText(none); ok {
			t.Errorf("%T has the text %q", none, text)
		}
	}
	for _, value := range []any{big.NewInt(7), errors.New("7"), "7"} {
		if text, ok := tareText(value); !ok || text != "7" {
			t.Errorf("%T: %q", value, text)
		}
	}
}

// read is a value of the file.
func read(kind, text string) (any, bool) {
	if text == "-" {
		text = ""
	}
	switch kind {
	case "integer":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, true
		}
		n, err := strconv.ParseUint(text, 10, 64)
		return n, err == nil
	case "float":
		bits, err := strconv.ParseUint(text, 16, 64)
		return math.Float64frombits(bits), err == nil
	case "boolean":
		return text == "true", true
	case "text":
		bytes, err := hex.DecodeString(text)
		return string(bytes), err == nil
	case "integers":
		return integers(text, ","), true
	case "floats":
		list := []float64{}
		for _, part := range parts(text, ",") {
			bits, _ := strconv.ParseUint(part, 16, 64)
			list = append(list, math.Float64frombits(bits))
		}
		return list, true
	case "texts":
		list := []string{}
		for _, part := range parts(text, ",") {
			bytes, _ := hex.DecodeString(strings.TrimPrefix(part, "-"))
			list = append(list, string(bytes))
		}
		return list, true
	case "lists":
		list := [][]any{}
		for _, part := range parts(text, ";") {
			list = append(list, integers(strings.TrimPrefix(part, "-"), ","))
		}
		return list, true
	case "booleans":
		list := []bool{}
		for _, part := range parts(text, ",") {
			list = append(list, part == "true")
		}
		return list, true
	case "pairs":
		list := [][]any{}
		for _, part := range parts(text, ",") {
			left, right, _ := strings.Cut(part, ":")
			number, _ := strconv.ParseInt(left, 10, 64)
			bytes, _ := hex.DecodeString(strings.TrimPrefix(right, "-"))
			list = append(list, []any{number, string(bytes)})
		}
		return list, true
	}
	return nil, false
}

func parts(text, separator string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}

func integers(text, separator string) []any {
	list := []any{}
	for _, part := range parts(text, separator) {
		number, _ := read("integer", part)
		list = append(list, number)
	}
	return list
}
