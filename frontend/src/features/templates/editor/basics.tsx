import { templateLimits } from '@parley/contracts/templates/template-limits'
import { type Template, templateCategories, templateLanguages } from '@parley/contracts/templates/templates'
import { Input, Select } from 'antd'
import { useFormContext } from 'react-hook-form'
import { categoryLabels } from '../../../lib/category-labels.ts'
import { CharacterCount } from './character-count.tsx'
import styles from './editor.module.css'
import { TemplateField } from './findings.tsx'
import { type TemplateFormValues, templateNameOf } from './form-values.ts'

/** Edits the identity of a template. */
export function Basics({ stored, isTranslation }: { stored: Template | undefined; isTranslation: boolean }) {
  const { control } = useFormContext<TemplateFormValues>()
  // WhatsApp does not have a draft.
  const isKnown = stored !== undefined && stored.status !== 'draft'
  const fixed = 'WhatsApp does not allow this to be changed. Duplicate the template instead.'
  return (
    <>
      <TemplateField
        control={control}
        name="name"
        label="Name"
        hint={
          isKnown
            ? fixed
            : isTranslation
              ? 'All languages of a template share its name.'
              : 'Only your team and WhatsApp see it.'
        }
        aside={<CharacterCount name="name" max={templateLimits.name} />}
      >
        {({ onChange, ...field }) => (
          <Input
            {...field}
            disabled={isKnown || isTranslation}
            placeholder="order_update"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={stored === undefined && !isTranslation}
            onChange={({ target }) => {
              const caret = templateNameOf(target.value.slice(0, target.selectionStart ?? target.value.length)).length
              onChange(templateNameOf(target.value))
              requestAnimationFrame(() => target.setSelectionRange(caret, caret))
            }}
          />
        )}
      </TemplateField>
      <div className={styles['pair']}>
        <TemplateField
          control={control}
          name="category"
          label="Category"
          {...(stored?.status === 'approved' && { hint: 'Fixed once a template is approved.' })}
        >
          {(field) => (
            <Select
              {...field}
              disabled={stored?.status === 'approved'}
              options={templateCategories.map((value) => ({ value, label: categoryLabels[value] }))}
            />
          )}
        </TemplateField>
        <TemplateField control={control} name="language" label="Language" {...(isKnown && { hint: fixed })}>
          {(field) => (
            <Select
              {...field}
              value={field.value || undefined}
              placeholder="Choose one"
              disabled={isKnown}
              showSearch={{ optionFilterProp: 'label' }}
              options={[...templateLanguages]}
            />
          )}
        </TemplateField>
      </div>
    </>
  )
}
