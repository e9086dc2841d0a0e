import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { counted } from '../../../lib/format.ts'
import { importListOptions } from './api.ts'
import styles from './earlier-imports.module.css'

const states: Record<ImportRecord['state'], string> = {
  draft: 'Not checked yet',
  checking: 'Being checked',
  checked: 'Checked, not imported',
  running: 'Being imported',
  done: 'Imported',
  stopped: 'Stopped',
  failed: 'Stopped',
  undoing: 'Being undone',
  undone: 'Undone',
}

/** Imports of before, to continue with, to look at, or to undo. */
export function EarlierImports({ onOpen }: { onOpen: (id: string) => void }) {
  const { data } = useQuery(importListOptions())
  if (!data || data.items.length === 0) return null
  return (
    <section className={styles['earlier']} aria-labelledby="earlier-imports">
      <h2 id="earlier-imports" className={styles['title']}>
        Earlier imports
      </h2>
      <ul className={styles['list']}>
        {data.items.map(({ id, fileName, state, counts }) => (
          <li key={id}>
            <Button type="text" block className={styles['import'] ?? ''} onClick={() => onOpen(id)}>
              <bdi className={styles['name']}>{fileName}</bdi>
              <span className={styles['state']}>
                {states[state]}
                {counts.created + counts.updated > 0 && ` · ${counted(counts.created + counts.updated, 'contact')}`}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
