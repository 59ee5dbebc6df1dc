// SPDX-License-Identifier: GPL-2.0-only

// Checks a profile by google/pprof's own rules, which Pyroscope and Parca begin with, and prints its sums: objects, bytes.
package main

import (
	"fmt"
	"os"

	"github.com/google/pprof/profile"
)

func main() {
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	found, err := profile.Parse(file)
	if err != nil {
		return err
	}
	if err := found.CheckValid(); err != nil {
		return err
	}
	if found.PeriodType == nil {
		return fmt.Errorf("no type of period")
	}
	if found.HasFunctions() == false || found.HasFileLines() == false {
		return fmt.Errorf("functions or lines would be looked for")
	}
	// As it is after a reader has packed it again.
	again := found.Compact()
	if err := again.CheckValid(); err != nil {
		return err
	}
	var objects, bytes int64
	for _, sample := range again.Sample {
		objects += sample.Value[0]
		bytes += sample.Value[1]
	}
	fmt.Println(objects, bytes)
	return nil
}
