import WarningOutlined from '@ant-design/icons/WarningOutlined'
import type { TemplateUsage } from '@parley/contracts/templates/template-checks'
import { useQuery } from '@tanstack/react-query'
import { templateBreaksOptions } from '../api.ts'
import styles from './editor.module.css'
import type { TemplateFormValues } from './form-values.ts'
import notes from './notes.module.css'

/** Campaigns that a change of a template would leave with something missing, before it is sent. */
export function WouldBreak({ templateId, content }: { templateId: string; content: TemplateFormValues }) {
  const { data: uses = [] } = useQuery(templateBreaksOptions(templateId, content))
  if (uses.length === 0) return null
  return (
    <div className={notes['note']} data-tone="warning" role="note">
      <WarningOutlined aria-hidden />
      <div>
        <h2 className={notes['noteTitle']}>
          {uses.length === 1 ? '1 campaign would break' : `${uses.length} campaigns would break`}
        </h2>
        <ul className={styles['warnings']}>
          {uses.map((use) => (
            <li key={use.id} dir="auto">
              {`${use.name || 'Draft without a name'}: ${sentenceOf(use)}`}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function sentenceOf({ breaks }: TemplateUsage): string {
  return breaks
    .map(({ kind, key }) => {
      if (kind === 'variable_gone') return `its value for {{${key}}} is no longer used`
      if (kind === 'variable_new') return `it has no value for {{${key}}}`
      if (kind === 'header_changed') return 'the header is of another kind'
      return kind === 'category_changed' ? 'consent and price follow the other category' : 'the template is gone'
    })
    .join('; ')
}
