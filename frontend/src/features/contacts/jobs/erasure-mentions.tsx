import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { contactJobsOptions } from '../../../lib/contact-jobs.ts'
import { Link } from '../../../lib/navigation.ts'
import { readSessionValue, writeSessionValue } from '../../../lib/session-storage.ts'

const keptName = 'closed-erasures'
const closedSchema = z.array(z.string())
type Mention = NonNullable<ContactJob['mentions']>[number]

/** Shows where members have mentioned people who were erased: search texts, conditions and values are theirs to change. */
export function ErasureMentions() {
  const { data = [] } = useQuery(contactJobsOptions())
  const [closed, setClosed] = useState(() => readSessionValue(keptName, closedSchema) ?? [])
  const found = data.filter(({ id, mentions = [] }) => mentions.length > 0 && !closed.includes(id))
  const mentions = new Map(found.flatMap((job) => (job.mentions ?? []).map((one) => [one.id, one] as const)))
  if (mentions.size === 0) return null
  const close = () => {
    const ids = [...closed, ...found.map(({ id }) => id)]
    writeSessionValue(keptName, ids)
    setClosed(ids)
  }
  return (
    <Alert
      type="info"
      showIcon
      closable={{ onClose: close, 'aria-label': 'Close' }}
      title="An erased person may still be named in:"
      description={
        <ul>
          {[...mentions.values()].map((mention) => (
            <li key={mention.id}>
              <Mentioned mention={mention} />
            </li>
          ))}
        </ul>
      }
    />
  )
}

function Mentioned({ mention: { kind, id, name } }: { mention: Mention }) {
  if (kind === 'view') return name === null ? 'a view of another member' : <span dir="auto">{`the view ${name}`}</span>
  const to = kind === 'segment' ? `/contacts?segment=${id}` : `/broadcasts?id=${id}`
  return (
    <Link to={to} dir="auto">
      {`the ${kind} ${name ?? ''}`}
    </Link>
  )
}
