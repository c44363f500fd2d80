// Renders a chart as Helm does: Go's own templates with Sprig's functions. For machines where Helm cannot be had.
//
//	go run render.go CHART VALUES.json      prints the manifests as Helm's `template` would
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	must(err)
	values := map[string]interface{}{}
	must(yaml.Unmarshal(text, &values))
	return values
}

func merged(base, over map[string]interface{}) map[string]interface{} {
	for key, value := range over {
		under, isMap := base[key].(map[string]interface{})
		upper, isMapToo := value.(map[string]interface{})
		if isMap && isMapToo {
			base[key] = merged(under, upper)
		} else {
			base[key] = value
		}
	}
	return base
}

func main() {
	chart := os.Args[1]
	values := merged(readYaml(filepath.Join(chart, "values.yaml")), readYaml(os.Args[2]))
	about := readYaml(filepath.Join(chart, "Chart.yaml"))
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": map[string]interface{}{"Name": "test", "Namespace": "qr", "Service": "Helm"},
	}

	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		must(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["fromYaml"] = func(text string) map[string]interface{} {
		value := map[string]interface{}{}
		must(yaml.Unmarshal([]byte(text), &value))
		return value
	}
	functions["toJson"] = func(value interface{}) string {
		text, err := json.Marshal(value)
		must(err)
		return string(text)
	}
	functions["include"] = func(name string, scope interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, scope)
		return out.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") || name == "NOTES.txt" {
			continue
		}
		var out bytes.Buffer
		must(all.ExecuteTemplate(&out, name, data))
		// Helm leaves "<no value>" out.
		fmt.Printf("---\n# Source: %s\n%s\n", name, strings.ReplaceAll(out.String(), "<no value>", ""))
	}
}
