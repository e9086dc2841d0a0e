import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import { foldText } from '@parley/rules/fold-text'

/** The same conditions with another name of a tag; `undefined` where they do not name it. */
export function withTagRenamed(group: ConditionGroup, tag: string, to: string): ConditionGroup | undefined {
  let isNamed = false
  const conditions = group.conditions.map((entry) => {
    if ('conditions' in entry) {
      const inner = withTagRenamed(entry, tag, to)
      isNamed ||= inner !== undefined
      return inner ?? entry
    }
    const names = entry.field === 'tags' && foldText(String(entry.value ?? '')) === foldText(tag)
    isNamed ||= names
    return names ? { ...entry, value: to } : entry
  })
  return isNamed ? { ...group, conditions } : undefined
}
