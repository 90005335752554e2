/**
 * The styles of all elements of this package, scoped to `.toolhost`. Colors, fonts and radii are the CSS variables of MCP
 * Apps hosts, with fallbacks for light and dark `color-scheme`.
 */
export const styles = `
.toolhost{--bg:var(--color-background-primary,light-dark(#fff,#1b1b1d));--bg2:var(--color-background-secondary,light-dark(#f5f5f4,#28282b));--fg:var(--color-text-primary,light-dark(#1c1c1e,#f4f4f5));--fg2:var(--color-text-secondary,light-dark(#57575c,#b4b4bb));--line:var(--color-border-primary,light-dark(#d4d4d8,#48484e));--edge:light-dark(#85858d,#85858d);--bad:var(--color-text-danger,light-dark(#b3161b,#ff9a93));--good:var(--color-text-success,light-dark(#17663a,#7ed8a0));--link:var(--color-text-info,light-dark(#0b57c5,#8ab8ff));--ring:var(--color-ring-primary,light-dark(#2563eb,#8ab8ff));--r:var(--border-radius-md,6px);
color:var(--fg);font:var(--font-text-md-size,14px)/1.45 var(--font-sans,system-ui,sans-serif);overflow-wrap:anywhere;min-width:0;
*{box-sizing:border-box}
[hidden]{display:none!important}
:is(h1,h2,h3,h4,h5,h6){font-size:1em;font-weight:650;line-height:1.3;margin:.9em 0 .3em}
>:is(h1,h2,h3){font-size:1.15em;margin:0 0 .2em}
p{margin:.2em 0}
a{color:var(--link)}
.hint,.muted{color:var(--fg2)}
.field .hint{font-size:.92em;margin:0 0 .25em}
.field,.group,.optional{margin:.7em 0}
label,legend{display:block;font-weight:600;margin:0 0 .15em;padding:0}
.choices label,.check label{font-weight:400}
.check{display:grid;grid-template-columns:auto 1fr;gap:0 .5em;align-items:center}
.check>label{grid-column:2;grid-row:1;margin:0;font-weight:600}
.check>input{grid-column:1;grid-row:1}
.check>p{grid-column:2}
fieldset.group{border:0;border-left:2px solid var(--line);margin:.8em 0;padding:0 0 0 .8em;min-width:0}
fieldset.choices{border:0;padding:0;min-width:0}
.required,.problem,.bad{color:var(--bad)}
.good{color:var(--good)}
:is(input,textarea,select,button){font:inherit;color:inherit;max-width:100%}
:is(input:not([type=checkbox],[type=radio],[type=file]),textarea,select){width:100%;min-height:2.3em;padding:.35em .55em;background:var(--bg2);border:1px solid var(--edge);border-radius:var(--r)}
textarea{resize:vertical}
:is(input[type=checkbox],input[type=radio]){width:1.15em;height:1.15em;margin:0;accent-color:var(--ring);vertical-align:-.2em}
[aria-invalid=true]{border-color:var(--bad)!important;outline-color:var(--bad)}
output{display:block}
button{cursor:pointer;min-height:2.3em;padding:.3em .8em;background:var(--bg2);border:1px solid var(--edge);border-radius:var(--r)}
button.primary{background:var(--fg);color:var(--bg);border-color:var(--fg);font-weight:600}
button:is(:disabled,[aria-disabled=true]){opacity:.55;cursor:default}
:focus-visible{outline:2px solid var(--ring);outline-offset:2px}
.actions{margin:1em 0 .4em}
.items{list-style:none;margin:0 0 .5em;padding:0}
.item{margin:0 0 .6em;padding:0 0 .6em;border-bottom:1px solid var(--line)}
.item>.field{margin:.2em 0}
.tools{display:flex;flex-wrap:wrap;gap:.4em;margin-top:.35em}
.tool{min-height:1.9em;padding:.1em .6em;font-size:.92em}
:is(pre,code,textarea.code){font-family:var(--font-mono,ui-monospace,monospace);font-size:.93em}
pre{white-space:pre-wrap;background:var(--bg2);border-radius:var(--r);padding:.6em .7em;margin:.3em 0;max-height:24em;overflow:auto}
.text{white-space:pre-wrap}
.run{margin-top:.6em}
.run:has(>div:last-child>*){border-top:1px solid var(--line);padding-top:.6em}
progress{width:100%;height:.6em;accent-color:var(--ring)}
.log{max-height:12em}
dl{margin:.3em 0}
.member{margin:.5em 0}
.pair{display:grid;grid-template-columns:minmax(5em,1fr) 3fr;gap:.2em .8em;padding:.15em 0}
.member.pair{grid-template-columns:minmax(9em,2fr) 5fr;margin:.2em 0;align-items:baseline}
dd .nested{border-left:2px solid var(--line);padding-left:.8em}
dt{font-weight:600}
.nested dt{font-weight:400;color:var(--fg2)}
dd{margin:0;min-width:0}
dd>.number{font-size:1.15em;font-variant-numeric:tabular-nums}
.nested dd>.number{font-size:1em}
.scroll{overflow:auto;max-height:26em;border:1px solid var(--line);border-radius:var(--r);margin:.3em 0}
table{overflow-wrap:break-word;border-collapse:separate;border-spacing:0;min-width:100%}
caption{text-align:start;color:var(--fg2);font-size:.92em;padding:.35em .6em}
:is(th,td){padding:.35em .6em;text-align:start;vertical-align:top;border-bottom:1px solid var(--line);min-width:4.5em;max-width:26em}
thead th{position:sticky;top:0;background:var(--bg2);z-index:1}
:is(td,th).number{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
img{display:block;max-width:100%;max-height:30em;border-radius:var(--r);margin:.3em 0}
.file .muted{margin-inline-start:.7em}
:is(ul,ol):not(.items){margin:.3em 0;padding-inline-start:1.4em}
ul.missing{list-style:none;padding:0}
.missing li{margin:.4em 0}
blockquote{margin:.4em 0;padding-inline-start:.8em;border-inline-start:3px solid var(--line);color:var(--fg2)}
summary{cursor:pointer;padding:.15em 0}
.folded{margin:.4em 0}
.later{margin-top:.5em;color:var(--fg2)}
.tree .tree,.leaf{margin-inline-start:1em}
hr{border:0;border-top:1px solid var(--line)}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:420px){.pair,.member.pair{grid-template-columns:1fr}.actions button{width:100%}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important;scroll-behavior:auto!important}}
@media (forced-colors:active){button.primary{border-width:2px}}
}
`;
