// Judges register histories with Porcupine and prints the time of each run, for the benchmark beside it.
// Input: a JSON array of histories; a history is an array of registers, each an array of
// [client, call, return, wrote or -1, read or -1].
// Output: one line a history, microseconds of each of the rounds; a register takes 5 s at most.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type operation struct {
	write bool
	value int
}

const rounds = 5

const limit = 5 * time.Second

func main() {
	var histories [][][][5]int64
	if err := json.NewDecoder(os.Stdin).Decode(&histories); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	model := porcupine.Model{
		Init: func() interface{} { return 0 },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			in := input.(operation)
			if in.write {
				return true, in.value
			}
			return output.(int) == state.(int), state
		},
	}
	for _, history := range histories {
		var registers [][]porcupine.Operation
		for _, register := range history {
			operations := make([]porcupine.Operation, len(register))
			for i, o := range register {
				operations[i] = porcupine.Operation{
					ClientId: int(o[0]),
					Input:    operation{write: o[3] >= 0, value: int(o[3])},
					Call:     o[1],
					Output:   int(o[4]),
					Return:   o[2],
				}
			}
			registers = append(registers, operations)
		}
		for round := 0; round < rounds; round++ {
			from := time.Now()
			for _, operations := range registers {
				porcupine.CheckOperationsTimeout(model, operations, limit)
			}
			fmt.Printf("%d ", time.Since(from).Microseconds())
			if time.Since(from) > limit {
				break
			}
		}
		fmt.Println()
	}
}
