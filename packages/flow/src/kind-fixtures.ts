import type { NodeSettings, nodeKinds } from '@parley/contracts/automation/flow'
import { flowOf, linesOf, play, write } from './interpreter-fixtures.ts'
import type { ScriptLine } from './play-script.ts'
import { defaultSettings, type Facts } from './state.ts'

/** Kinds of node by what they do in a flow. */
export type KindOf<Type extends keyof typeof nodeKinds> = (typeof nodeKinds)[Type][number]
export type QuestionKind = 'ask' | 'buttons' | 'list' | 'form'

/** One node between a trigger and a message by each branch, the inputs that it gets, and the outcome. */
export interface KindCase {
  settings: NodeSettings
  branches?: string[]
  /** Lines of the customer; `hi` where absent. */
  lines?: ScriptLine[]
  hours?: Facts['hours']
  attributes?: Facts['attributes']
  does: string[]
}

export const choices = [
  { id: 'a', title: 'Black tea' },
  { id: 'b', title: 'Green tea' },
]

export const handed = defaultSettings.handOverText

/** Words of a session that ends by itself. */
export const over = ['release resolved', 'end completed']

/** Words of a hand-over for a reason. */
export const handedOver = (why: string, ...more: string[]): string[] => [
  `say ${handed}`,
  `note ${[why, ...more].join(' / ')}`,
  'release attention',
  'end handed_over',
]

/** Words of a session that fails at a step that was refused for a reason. */
export const broken = (reason: string): string[] => [
  `say ${defaultSettings.failureText}`,
  `note A step of the bot was refused: ${reason}. / Last message: hi`,
  'release attention',
  'end failed',
]

/** Cases by their names, for `test.each`; a kind without one does not compile. */
export const named = <Kind extends NodeSettings['kind']>(cases: Record<Kind, KindCase[]>): [string, KindCase][] =>
  Object.entries<KindCase[]>(cases).flatMap(([kind, list]) =>
    list.map((one, index): [string, KindCase] => [`${kind} ${index + 1}`, one]),
  )

/** Plays a case. @returns what happened, as {@link linesOf} writes it. */
export const played = ({ settings, branches, lines = [write('hi')], does: _, ...more }: KindCase): string[] =>
  linesOf(play(flowOf(settings, branches), lines, more))
