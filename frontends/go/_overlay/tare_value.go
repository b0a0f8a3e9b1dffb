// The text of a value and its digest (R21 of the protocol): equal results are equal in every language.

package testing

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tareDepth is how deep a value may be: what contains itself has no end.
const tareDepth = 64

// tareText is the text of a value; false: it has none, contains itself, or panics when it is asked.
func tareText(value any) (result string, ok bool) {
	defer func() {
		if recover() != nil {
			result, ok = "", false
		}
	}()
	var text strings.Builder
	ok = value != nil && tareWrite(&text, reflect.ValueOf(value), false, tareDepth)
	return text.String(), ok
}

func tareDigest(text string) string {
	hash := uint64(0xcbf29ce484222325)
	for i := 0; i < len(text); i++ {
		hash = (hash ^ uint64(text[i])) * 0x100000001b3
	}
	return fmt.Sprintf("%016x", hash)
}

// tareBeginning is at most 200 characters of a text.
func tareBeginning(text string) string {
	count := 0
	for at := range text {
		if count == 200 {
			return text[:at]
		}
		count++
	}
	return text
}

func tareWrite(text *strings.Builder, v reflect.Value, inside bool, depth int) bool {
	isPointer := v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface
	if isPointer && v.IsNil() {
		text.WriteString("null")
		return inside
	}
	if depth == 0 {
		return false
	}
	if v.CanInterface() {
		switch named := v.Interface().(type) {
		case error:
			return tareQuote(text, named.Error(), inside)
		case fmt.Stringer:
			return tareQuote(text, named.String(), inside)
		}
	}
	if isPointer {
		return tareWrite(text, v.Elem(), inside, depth-1)
	}
	switch v.Kind() {
	case reflect.Bool:
		text.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		text.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		text.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		text.WriteString(tareFloat(v.Float()))
	case reflect.String:
		return tareQuote(text, v.String(), inside)
	case reflect.Slice, reflect.Array:
		text.WriteByte('[')
		for i := 0; i < v.Len(); i++ {
			if i > 0 {
				text.WriteByte(',')
			}
			if !tareWrite(text, v.Index(i), true, depth-1) {
				return false
			}
		}
		text.WriteByte(']')
	case reflect.Struct:
		return tareStruct(text, v, inside)
	default:
		return false
	}
	return true
}

// tareStruct writes a structure as Go prints it, unless that would be an address or have no order.
func tareStruct(text *strings.Builder, v reflect.Value, inside bool) bool {
	for i := 0; i < v.NumField(); i++ {
		switch v.Field(i).Kind() {
		case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Interface, reflect.Slice:
			return false
		}
	}
	return tareQuote(text, fmt.Sprintf("%+v", v), inside)
}

func tareQuote(text *strings.Builder, content string, inside bool) bool {
	if !inside {
		text.WriteString(content)
		return true
	}
	short := map[byte]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}
	text.WriteByte('"')
	for i := 0; i < len(content); i++ {
		c := content[i]
		switch escaped, ok := short[c]; {
		case ok:
			text.WriteString(escaped)
		case c < utf8.RuneSelf && c < ' ':
			fmt.Fprintf(text, `\u%04x`, c)
		default:
			text.WriteByte(c)
		}
	}
	text.WriteByte('"')
	return true
}

// tareFloat writes the shortest digits that read back as the same double, as JavaScript does.
func tareFloat(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	case x == 0:
		return "0"
	}
	if size := math.Abs(x); size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	text := strconv.FormatFloat(x, 'e', -1, 64)
	digits, exponent, _ := strings.Cut(text, "e")
	return digits + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}
