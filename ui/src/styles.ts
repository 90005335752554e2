/**
 * The styles of forms and results of tools, scoped to `.toolhost`. They need `tokens` and `controls` of `design/`, whose classes
 * the controls have.
 */
export const styles = `
.toolhost{color:var(--text);font:var(--size-md)/1.5 var(--sans);overflow-wrap:anywhere;min-width:0;
*{box-sizing:border-box}
[hidden]{display:none!important}
:is(h1,h2,h3,h4,h5,h6){font-size:1em;font-weight:600;line-height:1.3;margin:.9em 0 .3em}
>:is(h1,h2,h3){font-size:var(--size-lg);margin:0 0 .25rem}
p{margin:.25rem 0}
a:not(.ui-button){color:var(--strong);text-decoration:underline}
.muted{color:var(--soft)}
.ui-note>.error-code{display:block;margin-top:.25rem;font-size:var(--size-xs)}
>.lead{margin:0 0 .75rem;color:var(--soft);font-size:var(--size-sm)}
:is(.form,.fields){display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
.form{max-width:42rem}
.fields>.ui-button,.optional>.ui-button,.map+.ui-button{justify-self:start}
.ui-field p,.group>p{margin:0}
fieldset.group{display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem;margin:0;padding:0 0 0 .75rem;border:0;border-left:2px solid var(--line);min-width:0;
>legend{margin-bottom:.5rem}}
.check .ui-help,.check .ui-error{margin-inline-start:calc(var(--mark) + .5rem)}
.bad{color:var(--bad)}
.good{color:var(--good)}
output{display:block;font-size:var(--size-sm)}
.actions{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.25rem 0 .25rem}
.items{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem;list-style:none;margin:0 0 .5rem;padding:0}
.items:empty{display:none}
.item{display:grid;grid-template-columns:minmax(0,1fr);gap:.375rem;padding:0 0 .75rem;border-bottom:1px solid var(--line)}
.map{display:grid;gap:.75rem;margin-bottom:.5rem;&:empty{display:none}}
.tools{display:flex;flex-wrap:wrap;gap:.375rem;margin-top:.375rem}
:is(pre,code){font-family:var(--mono);font-size:var(--size-xs)}
pre{white-space:pre-wrap;background:var(--raised);border-radius:var(--r);padding:.625rem .75rem;margin:.375rem 0;max-height:24em;overflow:auto}
.text{white-space:pre-wrap}
.run{margin-top:.75rem}
.run:has(>div:last-child>*){border-top:1px solid var(--line);padding-top:.75rem}
.status{display:flex;align-items:baseline;gap:.375rem;margin:0 0 .5rem;color:var(--soft);font-size:var(--size-sm)}
.status .ui-button{margin-inline-start:auto}
.ui-progress{margin:.5rem 0}
/* Borders in place of padding, which would show part of the line above the newest ones. */
.log{box-sizing:content-box;max-height:8lh;padding-block:0;border-block:.625rem solid transparent}
@media (forced-colors:active){.log{border-block-width:0}}
dl{margin:.375rem 0}
.member{margin:.625rem 0}
.pair{display:grid;grid-template-columns:minmax(5em,1fr) 3fr;gap:.125rem 1rem;padding:.125rem 0}
.member.pair{grid-template-columns:minmax(9em,2fr) 5fr;margin:.25rem 0;align-items:baseline}
dd .nested{border-left:2px solid var(--line);padding-left:.75rem}
dt{color:var(--soft);font-size:var(--size-sm);font-weight:500}
.nested dt{font-weight:400}
dd{margin:0;min-width:0}
dd>.number{font-variant-numeric:tabular-nums}
.scroll{overflow:auto;max-height:26em;border:1px solid var(--line);border-radius:var(--r);margin:.375rem 0}
table{overflow-wrap:break-word;border-collapse:separate;border-spacing:0;min-width:100%;font-size:var(--size-sm)}
caption{text-align:start;color:var(--soft);font-size:var(--size-xs);padding:.375rem .75rem}
:is(th,td){padding:.375rem .75rem;text-align:start;vertical-align:top;border-bottom:1px solid var(--line);min-width:4.5em;max-width:26em}
tbody tr:last-child td{border-bottom:0}
thead th{position:sticky;top:0;background:var(--raised);color:var(--soft);font-size:var(--size-xs);font-weight:500;z-index:1}
:is(td,th).number{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
.ui-file>img{margin:0}
img:not(.ui-file>*){display:block;max-width:100%;max-height:30em;border-radius:var(--r);margin:.375rem 0}
.file .muted{margin-inline-start:.75rem;font-size:var(--size-sm)}
:is(ul,ol):not(.items){margin:.375rem 0;padding-inline-start:1.4em}
ul:not([class]){list-style:disc}
ol:not([class]){list-style:decimal}
ul.missing{list-style:none;padding:0}
.missing li{margin:.375rem 0}
blockquote{margin:.4em 0;padding-inline-start:.8em;border-inline-start:3px solid var(--line);color:var(--soft)}
summary{cursor:pointer;padding:.125rem 0;color:var(--soft);font-size:var(--size-sm);&:hover{color:var(--text)}}
.folded{margin:.5rem 0;>summary{margin-bottom:.5rem}}
.later{margin-top:.5rem}
.tree .tree,.leaf{margin-inline-start:1em}
hr{border:0;border-top:1px solid var(--line)}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:26rem){.pair,.member.pair{grid-template-columns:1fr}.actions .ui-button{width:100%}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important;scroll-behavior:auto!important}}
}
`;
