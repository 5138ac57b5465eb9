/** What a timeline says, before it is drawn: words for each operation, and what is wrong on which page. */
import type { TaskMark } from '../../check/verdict.ts';
import type { Counterexample, TimelineEvent } from '../../suite/certificate.ts';
import { nameTasks } from './task-names.ts';

/** A counterexample with all that its picture says. */
export interface TimelineStory {
  readonly events: readonly TimelineEvent[];
  /** The short name of each id. */
  readonly name: (id: string) => string;
  /** What is wrong on the page of an entry, each task once. */
  readonly marks: (entry: number) => readonly TaskMark[];
  /** Whether the finding is proved by this entry. */
  readonly proves: (entry: number) => boolean;
  /** Whether this operation writes the task at a boundary from which a later page starts. */
  readonly touchesBoundary: (event: TimelineEvent) => boolean;
  /** The id of the boundary task of an entry's page. */
  readonly boundary: (entry: number) => string | undefined;
}

/** Reads the story of a counterexample; undefined where its operations were not kept. */
export function storyOf({ timeline, finding }: Counterexample): TimelineStory | undefined {
  if (timeline === undefined || timeline.length === 0) return undefined;
  const marks = finding.marks ?? [];
  const ids = timeline.flatMap(({ task, page }) => [...(task === undefined ? [] : [task]), ...(page?.items ?? [])]);
  const names = nameTasks([...ids, ...marks.map(({ id }) => id)]);
  const boundaries = new Map(
    timeline.map(({ entry, page }) => [entry, page?.ends === false ? page.items.at(-1) : undefined]),
  );
  const proving = new Set([...finding.entries, ...marks.map(({ entry }) => entry)]);
  return {
    events: timeline,
    name: (id) => names.get(id) ?? id,
    marks: (entry) => {
      const here = marks.filter((mark) => mark.entry === entry);
      return here.filter((mark, at) => here.findIndex(({ id, how }) => id === mark.id && how === mark.how) === at);
    },
    proves: (entry) => proving.has(entry),
    touchesBoundary: ({ task, op, entry, page }) =>
      task !== undefined &&
      page === undefined &&
      op !== 'get' &&
      timeline.some(({ entry: later, page: from, error, op: asked }) => {
        const source = from?.after;
        if (source === undefined || later < entry || source > entry || (error !== undefined && asked !== 'list'))
          return false;
        return boundaries.get(source) === task;
      }),
    boundary: (entry) => boundaries.get(entry),
  };
}

/** Says what an operation asks, such as `page 1 of w0, after b`. */
export function operationWords(event: TimelineEvent, story: TimelineStory): string {
  const { op, task, page, caller } = event;
  const by = caller === undefined ? '' : `${op === 'allow' || op === 'deny' ? ' for' : ' as'} ${caller}`;
  if (op === 'tick') return 'wait until the clock has moved';
  if (page === undefined)
    return `${op === 'list' ? 'page' : op}${task === undefined ? '' : ` ${story.name(task)}`}${by}`;
  const boundary = page.after === undefined ? undefined : story.boundary(page.after);
  const from =
    page.after === undefined
      ? ''
      : boundary === undefined
        ? `, after page #${page.after}`
        : `, after ${story.name(boundary)}`;
  const which =
    page.walk === undefined ? (page.after === undefined ? 'page' : 'same token again') : `page ${page.number ?? 0}`;
  return `${which}${from}${by}`;
}

/** Says what is wrong with a task on a page, such as `a is lost: it should be here`. */
export function markWords({ id, how }: TaskMark, story: TimelineStory): string {
  const words: Readonly<Record<TaskMark['how'], string>> = {
    lost: 'is LOST: it belongs here',
    repeated: 'is REPEATED: shown before',
    misplaced: 'is OUT OF ORDER',
    intruding: 'does NOT BELONG here',
  };
  return `${story.name(id)} ${words[how]}`;
}

/** Tells the whole story in sentences, for those who do not see the picture. */
export function storyText(story: TimelineStory): string {
  const told = story.events.map((event) => {
    const { entry, page, error, detail } = event;
    const shows =
      page === undefined
        ? ''
        : page.items.length === 0
          ? ' shows nothing'
          : ` shows ${page.items.map(story.name).join(', ')}`;
    const end = page?.ends === true ? ' and ends the list' : '';
    const wrong = story.marks(entry).map((mark) => `; ${markWords(mark, story)}`);
    const failed = error === undefined ? '' : ` fails: ${error}`;
    const more = detail === undefined ? '' : ` (${detail})`;
    return `#${entry} ${operationWords(event, story)}${more}${shows}${end}${failed}${wrong.join('')}.`;
  });
  return told.join(' ');
}
