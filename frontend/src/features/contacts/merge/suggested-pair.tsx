import { haveTwoAccounts, type SuggestedMerge } from '@parley/contracts/contacts/contact-merge'
import { Button, Checkbox } from 'antd'
import { attributeLabel, useAttributes } from '../../../lib/choices/attributes.ts'
import { counted } from '../../../lib/format.ts'
import { Link } from '../../../lib/navigation.ts'
import styles from './duplicates-dialog.module.css'
import { accountText } from './merge-preview.tsx'

const reasons: Record<SuggestedMerge['because'], string> = {
  phone: 'One phone number, written in two ways',
  email: 'One name and e-mail address',
  name: 'One name, and one of them has no phone number',
}

interface Props {
  readonly pair: SuggestedMerge
  readonly chosen: boolean
  readonly onChoose: () => void
  /** Absent where another pair decides who stays. */
  readonly onSwap: (() => void) | undefined
}

/** One pair: who stays, what comes to them, and what is given up. */
export function SuggestedPair({ pair: { kept, other, because, moved }, chosen, onChoose, onSwap }: Props) {
  const defined = useAttributes()
  const [keptName, otherName] = [accountText(kept), accountText(other)]
  const lost = Object.entries(other.attributes).filter(([name, value]) => (kept.attributes[name] ?? value) !== value)
  const gained = Object.entries(other.attributes).filter(([name]) => kept.attributes[name] === undefined)
  const tags = other.tags.filter((tag) => !kept.tags.includes(tag))
  const { conversations, messages } = moved.other
  return (
    <li>
      <Checkbox
        checked={chosen}
        onChange={onChoose}
        aria-label={`Merge ${other.name}, ${otherName}, into ${kept.name}, ${keptName}`}
      />
      <div className={styles['about']}>
        <span>
          <Link to={`/contacts/${kept.id}`} dir="auto">
            {kept.name}
          </Link>{' '}
          · <bdi>{keptName}</bdi> stays
        </span>
        <span>
          <Link to={`/contacts/${other.id}`} dir="auto">
            {other.name}
          </Link>{' '}
          · <bdi>{otherName}</bdi> is merged
          {conversations > 0 && `: ${counted(conversations, 'conversation')} with ${counted(messages, 'message')} move`}
        </span>
        <span className={styles['quiet']}>
          {reasons[because]}.
          {gained.length + tags.length > 0 &&
            ` Added: ${[...gained.map(([name, value]) => `${attributeLabel(name, defined)} ${value}`), ...tags].join(', ')}.`}
          {haveTwoAccounts(kept, other) && because !== 'phone' && ` Given up: ${otherName}.`}
          {lost.length > 0 &&
            ` Not taken: ${lost.map(([name, value]) => `${attributeLabel(name, defined)} ${value}`).join(', ')}.`}
        </span>
      </div>
      {onSwap && (
        <Button size="small" aria-label={`Keep the other: ${other.name}, ${otherName}`} onClick={onSwap}>
          Keep the other
        </Button>
      )}
    </li>
  )
}
