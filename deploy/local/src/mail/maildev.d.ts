declare module 'maildev' {
  interface MailDevOptions {
    smtp: number
    web: number
    ip: string
    mailDirectory: string
  }
  interface MailDev {
    /** Starts to take mail. */
    listen(): Promise<void>
  }
  /** Starts the web page and readies the SMTP server; stops both by itself on SIGTERM. */
  export default function createMailDev(options: MailDevOptions): MailDev
}
