import type { Duplicate } from '@parley/contracts/contacts/contact-merge'
import { writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { Link } from '../../../lib/navigation.ts'
import parts from '../../../ui/contact/contact-parts.module.css'
import page from '../page/contact-page.module.css'
import { duplicatesOptions } from './api.ts'

const MergeDialog = lazy(async () => ({ default: (await import('./merge-dialog.tsx')).MergeDialog }))

const reasons: Record<Duplicate['because'], string> = {
  phone: 'The same phone number, written in another way',
  email: 'The same name and e-mail address',
  name: 'The same name, and only one of the two has a phone number',
}

/** List of other contacts who may be the same person, each with a link to compare and merge. */
export function Duplicates({ contactId }: { contactId: string }) {
  const mayNotMerge = useIsRefused('contacts:write')
  const { data = [] } = useQuery(duplicatesOptions(contactId))
  const [merging, setMerging] = useState<{ otherId: string; open: boolean }>()
  if (data.length === 0 && !merging) return null
  return (
    <>
      {data.length > 0 && (
        <section className={page['card']} aria-labelledby="contact-duplicates">
          <h2 id="contact-duplicates" className={page['title']}>
            Maybe the same person
          </h2>
          <ul className={parts['history']}>
            {data.map(({ contact: { id, name, phone }, because }) => (
              <li key={id}>
                <span className={parts['partHead']}>
                  <Link to={`/contacts/${id}`} dir="auto">
                    {name}
                    {phone && ` · ${writtenPhone(phone)}`}
                  </Link>
                  {!mayNotMerge && (
                    <Button
                      size="small"
                      aria-label={`Compare and merge with ${name}`}
                      onClick={() => setMerging({ otherId: id, open: true })}
                    >
                      Compare
                    </Button>
                  )}
                </span>
                <span className={parts['quiet']}>{reasons[because]}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Suspense>
        {merging && (
          <MergeDialog
            key={merging.otherId}
            open={merging.open}
            keptId={contactId}
            otherId={merging.otherId}
            onClose={() => setMerging({ ...merging, open: false })}
          />
        )}
      </Suspense>
    </>
  )
}
