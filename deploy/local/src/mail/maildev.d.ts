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

declare module 'maildev/lib/web.js' {
  /** The page's server; there once the page is started. */
  const web: { readonly server: import('node:http').Server }
  export default web
}
