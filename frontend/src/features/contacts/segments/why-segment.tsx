import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { type Explanation, explainGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import { describeCondition } from '@parley/rules/describe-conditions'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useLabelOf } from '../../../lib/choices/attributes.ts'
import { type Answer, Answered, AnswerTree } from '../../../ui/answer-tree.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import { segmentOptions } from '../api.ts'
import styles from './why-segment.module.css'

/** Shows whether the contact is in a segment, and how each of its conditions contributes. */
export function WhySegment({ contact, chosen, now }: { contact: Contact; chosen: string | undefined; now: Date }) {
  const { data = [] } = useQuery(segmentOptions())
  const [other, setOther] = useState<string>()
  const labelOf = useLabelOf()
  const segments = data.filter(({ filter }) => filter.conditions.length > 0)
  const segment = segments.find(({ id }) => id === (other ?? chosen)) ?? segments[0]
  if (!segment) return null
  const explanation = explainGroup(segment.filter, contactValues(contact), now)
  return (
    <>
      <Select
        aria-label="Segment"
        value={segment.id}
        options={segments.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setOther}
        getPopupContainer={popupInside}
      />
      <div className={styles['verdict']} role="status">
        <Answered holds={explanation.holds}>
          {explanation.holds ? 'In' : 'Not in'} <bdi>{segment.name}</bdi>
        </Answered>
      </div>
      <AnswerTree answer={answerOf(segment.filter, explanation, labelOf)} />
    </>
  )
}

const answerOf = (
  { match, conditions }: ConditionGroup,
  explanation: Explanation,
  labelOf: Parameters<typeof describeCondition>[1],
): Answer => ({
  text: '',
  match,
  holds: explanation.holds,
  conditions: conditions.map((entry, index) => {
    const answer = explanation.conditions?.[index] ?? { holds: false }
    if ('conditions' in entry) return answerOf(entry, answer, labelOf)
    return { text: describeCondition(entry, labelOf), holds: answer.holds }
  }),
})
