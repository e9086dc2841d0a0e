import type { Condition } from '@parley/contracts/contacts/conditions'
import type { Attribute, AttributeType } from '@parley/contracts/contacts/contact-attributes'
import { attributeOf, comparisonsOf, contactFieldOf } from '@parley/contracts/contacts/contact-fields'
import { comparisonLabels } from '@parley/rules/describe-conditions'

type Comparison = Condition['comparison']

const comparisonsOfType: Readonly<Record<AttributeType, readonly Comparison[]>> = {
  text: comparisonsOf.attribute,
  number: ['equals', 'not_equals', 'greater_than', 'less_than', 'is_set', 'is_not_set'],
  date: comparisonsOf.date,
  choice: ['equals', 'not_equals', 'is_set', 'is_not_set'],
  yes_no: ['equals', 'not_equals', 'is_set', 'is_not_set'],
}

/** Options of the builder for a field: its comparisons, and their values. */
export interface ConditionField {
  readonly comparisons: readonly Comparison[]
  readonly wordOf: (comparison: Comparison) => string
  /** Choices, as labels by value. */
  readonly values?: Readonly<Record<string, string>> | undefined
  readonly isDate: boolean
  readonly isTag: boolean
}

/** @param name as conditions name it; a field that is not defined is a text. */
export function conditionField(name: string, attributes: readonly Attribute[]): ConditionField {
  const attributeName = attributeOf(name)
  const known = contactFieldOf(name)
  const defined = attributes.find((attribute) => attribute.name === attributeName)
  if (known && !defined && known.kind !== 'attribute')
    return {
      comparisons: comparisonsOf[known.kind],
      wordOf: (comparison) => comparisonLabels(name, comparison),
      values: known.values,
      isDate: known.kind === 'date',
      isTag: known.kind === 'tags',
    }
  const type = defined?.type ?? 'text'
  return {
    comparisons: comparisonsOfType[type],
    // Comparisons of a day read like those of any other date.
    wordOf: (comparison) => comparisonLabels(type === 'date' ? 'createdAt' : 'attributes.x', comparison),
    values:
      type === 'yes_no'
        ? { yes: 'Yes', no: 'No' }
        : type === 'choice'
          ? Object.fromEntries((defined?.choices ?? []).map((choice) => [choice, choice]))
          : undefined,
    isDate: type === 'date',
    isTag: false,
  }
}
