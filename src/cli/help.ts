/** What `--help` prints. */
import { version } from '../version.ts';

/** The whole help, or what one command takes. */
export const help: string = `pagecheck ${version}: certifies A2A task stores: can a list be paged through safely while it changes?

  pagecheck certify [SUBJECT ...]   decide rule by rule; every bundled subject where none is named
      SUBJECT                       memory, legacy, …, the path of a module whose default export is a subject,
                                    or the URL of a running agent (profile a2a-1.0)
      --profile 0.6|0.5.2|a2a-1.0   what is asked of it (0.6)
      --rule ID                     only this rule; may be given again, or as a list with commas
      --seed N                      decides every program (1)
      --runs N                      how many programs (6000)
      --time-budget 30s             the longest that running them may take (40s)
      --operation-timeout 5s        the longest that one operation may take (5s)
      --exhaustive N                every program of up to N operations over 2 tasks as well (4 takes about 20 s in memory);
                                    with --concurrent every schedule of each pair of operations, where it can be chosen
      --concurrent                  several clients at once as well, for the rules that one alone can't break
      --concurrent-runs N           how many such programs (1500)
      --concurrent-budget 20s       the longest that running those may take (20s)
      --history F                   the whole history of each program of several clients, to be judged again by replay
      --faults                      instead of all that: several clients while connections, server and pool fail
                                    (postgres; --time-budget 60s)
      --postgres embedded|container|URL
      --bearer TOKEN                sent to an agent with every call; or PAGECHECK_BEARER in the environment
      --transport jsonrpc|http|grpc the one to call an agent by (the first of its card)
      --known FILE                  known failures, each with a reason; one that passes now fails the run
      --strict                      a violated should-rule fails the run as well
      --prove                       put faults around the subject's own store afterwards: a rule that lets one pass is
                                    unproved, and undecided
      --prove-budget 60s            the longest that proving may take (60s)
      --shard i/n                   only every n-th program, from the i-th on
      --json F --junit F --markdown F --html F
      --verbose                     with what every operation did, and stacks of unexpected errors
  pagecheck replay FILE             a saved counterexample, again; or saved histories, judged without their store
      --subject S                   on another subject
      --emit-test F                 as a vitest file instead
  pagecheck diff OLD NEW            two certificates: what a release broke, mended or left
  pagecheck merge FILE ...          the certificates of shards, together; --json F --markdown F --html F keep the result
  pagecheck cost [SUBJECT ...]      what lists and writes cost against the number of tasks, by counters and plans
                                    (memory, postgres and dispatcher where none is named)
      --sizes 1e3,1e4               numbers of tasks (1e3,1e4,1e5); --full adds 1e6
      --time-budget 120s            the longest that one subject may take (120s; 30m with --full)
      --against FILE                an earlier certificate of --json: a class that changed, or a counter that is
                                    worse by more than --tolerance SHARE (0.1), fails
      --seed N --postgres WHERE --strict --json F --html F --verbose
  pagecheck mutants [ID ...]        faulty stores, each of which must be caught; --json F --markdown F --html F
  pagecheck profile [SUBJECT]       where its time or memory goes while a list is paged through (memory)
      --kind flame|doctor|bubbleprof|heap|cpu
                                    clinic, installed by the first use; cpu: Node's own profiler (flame)
      --tasks N --page-size N --duration 10s --time-limit 5m --out F
  pagecheck serve                   the reference agent on JSON-RPC, HTTP+JSON and gRPC
  pagecheck rules [ID]              the contract, rule by rule

Exit status: 0 conforms · 1 a rule is violated, or a known failure is stale · 2 nothing is violated, but something is
undecided · 3 bad usage · 4 the environment or the harness failed · 130 interrupted
`;
