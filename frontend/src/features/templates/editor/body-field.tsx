import BoldOutlined from '@ant-design/icons/BoldOutlined'
import CodeOutlined from '@ant-design/icons/CodeOutlined'
import ItalicOutlined from '@ant-design/icons/ItalicOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import StrikethroughOutlined from '@ant-design/icons/StrikethroughOutlined'
import { nextPlaceholder, writtenPlaceholders } from '@parley/contracts/templates/placeholders'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { Button, Input } from 'antd'
import { type ComponentRef, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { IconButton } from '../../../ui/icon-button.tsx'
import { CharacterCount } from './character-count.tsx'
import styles from './editor.module.css'
import { TemplateField } from './findings.tsx'
import { contentOf, type Edited, insertAt, type TemplateFormValues, wrapWith } from './form-values.ts'

const marks = [
  { mark: '*', label: 'Bold', Icon: BoldOutlined },
  { mark: '_', label: 'Italic', Icon: ItalicOutlined },
  { mark: '~', label: 'Strikethrough', Icon: StrikethroughOutlined },
  { mark: '```', label: 'Monospace', Icon: CodeOutlined },
] as const

/** The message itself, with its styles and variables. */
export function BodyField() {
  const { control, setValue, getValues, formState } = useFormContext<TemplateFormValues>()
  const area = useRef<ComponentRef<typeof Input.TextArea>>(null)

  function edit(change: (text: string, selection: { start: number; end: number }) => Edited): void {
    const field = area.current?.resizableTextArea?.textArea
    const body = getValues('body')
    const selection = { start: field?.selectionStart ?? body.length, end: field?.selectionEnd ?? body.length }
    const { text, start, end } = change(body, selection)
    setValue('body', text, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(start, end)
    })
  }

  return (
    <TemplateField
      control={control}
      name="body"
      label="Body"
      hint="Use either numbered variables, such as {{1}}, or named ones, such as {{first_name}}. Put words before and after each."
      aside={<CharacterCount name="body" max={templateLimits.body} />}
    >
      {({ ref, ...field }) => (
        <div className={styles['body']}>
          <div className={styles['tools']} role="toolbar" aria-label="Styles and variables">
            {marks.map(({ mark, label, Icon }) => (
              <IconButton
                key={mark}
                label={label}
                title={label}
                onClick={() => edit((text, selection) => wrapWith(text, selection, mark))}
              >
                <Icon aria-hidden />
              </IconButton>
            ))}
            <Button
              type="text"
              icon={<PlusOutlined aria-hidden />}
              onClick={() =>
                edit((text, selection) =>
                  insertAt(
                    text,
                    selection,
                    nextPlaceholder(text, ...writtenPlaceholders(contentOf(getValues())).map((key) => `{{${key}}}`)),
                  ),
                )
              }
            >
              Insert variable
            </Button>
          </div>
          <Input.TextArea
            {...field}
            ref={(node) => {
              area.current = node
              ref(node)
            }}
            dir="auto"
            autoSize={{ minRows: 6, maxRows: 16 }}
            placeholder="Hello {{first_name}}, your order is on its way to you."
          />
        </div>
      )}
    </TemplateField>
  )
}
