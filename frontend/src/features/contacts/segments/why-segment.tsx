import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import type { ConditionGroup } from '@parley/contracts/conditions'
import type { Contact } from '@parley/contracts/contacts'
import { describeCondition } from '@parley/contracts/describe-conditions'
import { type Explanation, explainGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useLabelOf } from '../../../lib/choices/attributes.ts'
import { popupInside } from '../../../ui/popup-inside.ts'
import { segmentOptions } from '../api.ts'
import styles from './why-segment.module.css'

/** Whether the contact is in a segment, and what each of its conditions has to do with it. */
export function WhySegment({ contact, chosen, now }: { contact: Contact; chosen: string | undefined; now: Date }) {
  const { data = [] } = useQuery(segmentOptions())
  const [other, setOther] = useState<string>()
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
      <p className={styles['verdict']} role="status">
        <Mark holds={explanation.holds} />
        <span>
          {explanation.holds ? 'In' : 'Not in'} <bdi>{segment.name}</bdi>
        </span>
      </p>
      <Group group={segment.filter} explanation={explanation} />
    </>
  )
}

function Group({ group, explanation }: { group: ConditionGroup; explanation: Explanation }) {
  const labelOf = useLabelOf()
  return (
    <div className={styles['group']}>
      {group.conditions.length > 1 && <p>{group.match === 'all' ? 'All of these:' : 'Any of these:'}</p>}
      <ul className={styles['conditions']}>
        {group.conditions.map((entry, index) => {
          const answer = explanation.conditions?.[index] ?? { holds: false }
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place.
            <li key={index}>
              <Mark holds={answer.holds} />
              {'conditions' in entry ? (
                <Group group={entry} explanation={answer} />
              ) : (
                <bdi>{describeCondition(entry, labelOf)}</bdi>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Mark({ holds }: { holds: boolean }) {
  return (
    <span className={holds ? styles['yes'] : styles['no']}>
      {holds ? <CheckCircleOutlined aria-label="Yes:" /> : <CloseCircleOutlined aria-label="No:" />}
    </span>
  )
}
