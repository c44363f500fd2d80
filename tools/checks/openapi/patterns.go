// Reads {"patterns": […], "texts": […]} and writes, for each pattern, which texts it matches. A pattern that RE2 does not
// take ends the program.
package main

import (
	"encoding/json"
	"os"
	"regexp"
)

func main() {
	var input struct {
		Patterns []string
		Texts    []string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		panic(err)
	}
	matches := [][]bool{}
	for _, pattern := range input.Patterns {
		expression := regexp.MustCompile(pattern)
		row := []bool{}
		for _, text := range input.Texts {
			row = append(row, expression.MatchString(text))
		}
		matches = append(matches, row)
	}
	if err := json.NewEncoder(os.Stdout).Encode(matches); err != nil {
		panic(err)
	}
}
