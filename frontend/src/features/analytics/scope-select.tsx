import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { memberChoices } from '../../lib/choices/members.ts'
import { numberChoices } from '../../lib/choices/numbers.ts'
import styles from './analytics.module.css'

/** Chooses whose figures are shown: the workspace's, a number's or a member's. */
export function ScopeSelect({ scope, onChange }: { scope: string; onChange: (scope: string) => void }) {
  const numbers = useQuery(numberChoices()).data ?? []
  const members = useQuery(memberChoices()).data ?? []
  const known = [
    ...numbers.map(({ id, displayName }) => ({ value: `number:${id}`, label: displayName })),
    ...members.map(({ userId, name }) => ({ value: `member:${userId}`, label: name })),
  ]
  const isKnown = scope === 'workspace' || known.some(({ value }) => value === scope)
  return (
    <Select
      className={styles['scope'] ?? ''}
      aria-label="Figures of"
      value={scope}
      onChange={onChange}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      options={[
        { value: 'workspace', label: 'Everything' },
        ...(isKnown
          ? []
          : [{ value: scope, label: scope.startsWith('member:') ? 'A former member' : 'A removed number' }]),
        { label: 'Number', title: 'number', options: known.filter(({ value }) => value.startsWith('number:')) },
        { label: 'Member', title: 'member', options: known.filter(({ value }) => value.startsWith('member:')) },
      ]}
    />
  )
}
