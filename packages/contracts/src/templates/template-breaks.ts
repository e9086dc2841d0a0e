import { templatePlaceholders } from './placeholders.ts'
import type { JudgedTemplate } from './template-problems.ts'

/** Ways in which a change of a template breaks a campaign that is to send it. */
export const breakKinds = ['variable_gone', 'variable_new', 'header_changed', 'category_changed', 'deleted'] as const

export interface TemplateBreak {
  readonly kind: (typeof breakKinds)[number]
  /** Variable that the break is about. */
  readonly key?: string | undefined
}

/**
 * Returns what a change of a template breaks for each of its uses.
 * @param uses with the values for its variables.
 * @param to `undefined` where the template is deleted.
 * @returns for each use what breaks, in the order of the uses.
 */
export function whoBreaks(
  uses: readonly { readonly variables: Readonly<Record<string, unknown>> }[],
  from: JudgedTemplate,
  to: JudgedTemplate | undefined,
): TemplateBreak[][] {
  if (!to) return uses.map(() => [{ kind: 'deleted' }])
  const [before, after] = [templatePlaceholders(from), templatePlaceholders(to)]
  const forAll: TemplateBreak[] = [
    ...(headerOf(from) === headerOf(to) ? [] : [{ kind: 'header_changed' as const }]),
    ...(from.category === to.category ? [] : [{ kind: 'category_changed' as const }]),
  ]
  return uses.map(({ variables }) => {
    const isMapped = (key: string) => Object.hasOwn(variables, key)
    const gone = before.filter((key) => isMapped(key) && !after.includes(key))
    const fresh = after.filter((key) => !isMapped(key) && !before.includes(key))
    return [
      ...gone.map((key) => ({ kind: 'variable_gone' as const, key })),
      ...fresh.map((key) => ({ kind: 'variable_new' as const, key })),
      ...forAll,
    ]
  })
}

/** A text header is not filled by the campaign; a file or a place is. */
const headerOf = ({ headerMedia }: JudgedTemplate): string => headerMedia?.kind ?? 'text'
