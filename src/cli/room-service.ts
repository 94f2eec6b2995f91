import type { CheckResult } from '../core/evidence.ts';
import type { JudgedBaseline } from '../core/judge-report.ts';
import type { Spec } from '../core/loop.ts';
import type { Verification } from '../core/verification.ts';
import type { Loaded } from '../engine/ports.ts';

/** The clean room outside a decision. Nothing about the loop changes. */
export type RoomService = {
  /** The commit that a name refers to in the repository around the project; `null` = there is none. */
  readonly commitOf: (cwd: string, rev: string) => Promise<string | null>;
  /** Judges the work tree as it is, or the files of `commit`. */
  readonly judge: (
    loaded: Loaded,
    request: { readonly commit?: string; readonly onCheck: (name: string, result?: CheckResult) => void },
  ) => Promise<Verification>;
  /** Which files judge the work of a loop, as they were stored at its start. */
  readonly describe: (loaded: Loaded) => Promise<JudgedBaseline>;
  /** For a project without a loop: each check runs once in the project and once in a room of it. Nothing is stored. */
  readonly tryProject: (spec: Spec, cwd: string) => Promise<JudgedBaseline>;
  /** The checked-out commit that contains exactly the work with this hash; `null` = there is none. `except`: a file that does not count. */
  readonly commitOfWork: (loaded: Loaded, work: string, except: string) => Promise<string | null>;
  /** The hash of the files in a checkout, and its commit; `null` = it cannot be read. */
  readonly readCheckout: (
    cwd: string,
    except: string,
  ) => Promise<{ readonly work: string; readonly commit: string | null } | null>;
  /** Runs the checks in the work tree now. */
  readonly runChecks: (loaded: Loaded) => Promise<readonly CheckResult[]>;
  /** Criteria that are ticked in the tracker now. */
  readonly ticked: (loaded: Loaded) => Promise<readonly string[]>;
  /** How the judge's files changed since the start, as a diff, and the hash of that work; `null` = it cannot be determined. */
  readonly diff: (loaded: Loaded) => Promise<{ readonly work: string; readonly text: string } | null>;
};
