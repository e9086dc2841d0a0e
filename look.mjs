import { chromium } from 'playwright'
const pass=process.argv[2]
const b = await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox']})
const ctx = await b.newContext({viewport:{width:1440,height:900}})
const p = await ctx.newPage()
p.on('console',m=>{ if(m.type()==='error') console.log('console', m.text().slice(0,200))})
p.on('response',r=>{ if(r.status()>=400) console.log(r.status(), r.url())})
p.setDefaultTimeout(90000)
await p.goto('http://localhost:3000/login')
await p.getByLabel('Email', { exact: true }).fill('demo@parley.local')
await p.getByLabel('Password', { exact: true }).fill(pass)
await p.getByRole('button', { name: 'Log In' }).click()
await p.waitForURL(/dashboard|profile/)
await p.waitForTimeout(2000)
console.log(p.url())
if (p.url().includes('profile')) { await p.getByLabel('First Name').fill('Dana'); await p.getByLabel('Last Name').fill('Demo'); await p.getByLabel('Mobile Number').fill('98765 43210'); await p.getByRole('button',{name:/save|continue|complete/i}).first().click(); await p.waitForURL(/dashboard/) }
for (const s of ['conversations','numbers','contacts']) { await p.goto('http://localhost:3000/'+s); await p.waitForLoadState('networkidle').catch(()=>{}); await p.waitForTimeout(2500); await p.screenshot({path:`/tmp/look/${s}.png`}) ; console.log(s,p.url())}
await ctx.storageState({path:'/tmp/look/state.json'})
await b.close()
