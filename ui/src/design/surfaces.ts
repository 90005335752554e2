/** The look of what only the console has: switches, menus, lists of choices, tabs, dialogs, cards, rows and placeholders. They need `tokens`. */
export const surfaces = `
.ui-switch{display:flex;flex:none;align-items:center;width:1.875rem;height:1.125rem;padding:1px;border:1px solid var(--edge);border-radius:99px;background:var(--raised);transition:background-color var(--fast) var(--ease);
&::before{content:"";width:.75rem;height:.75rem;margin-inline-start:1px;border-radius:50%;background:var(--edge);transition:translate var(--fast) var(--ease)}
[data-selected]>&{border-color:var(--accent);background:var(--accent);&::before{translate:.75rem;background:var(--on-accent)}}
[data-focus-visible]>&{outline:var(--ring-width) solid var(--ring);outline-offset:2px}
[data-disabled]>&{border-color:var(--line-strong);background:var(--raised);&::before{background:var(--line-strong)}}
}
.ui-choice>.ui-switch{margin-top:.0625rem}
@media (forced-colors:active){.ui-mark,.ui-switch{forced-color-adjust:none}}
.ui-float{overflow:auto;padding:.25rem;border:1px solid var(--line);border-radius:var(--r-lg);background:var(--overlay);box-shadow:var(--shadow-float);color:var(--text);
&[data-entering]{animation:ui-appear var(--fast) var(--ease)}}
.ui-item{display:flex;align-items:center;gap:.5rem;min-height:var(--control-sm);padding:.25rem .5rem;border-radius:var(--r-sm);font-size:var(--size-sm);line-height:1.25rem;outline:none;cursor:pointer;
>svg:first-child{flex:none;color:var(--soft)}
&[data-focused]{background:var(--raised)}
&[data-disabled]{color:var(--faint);cursor:not-allowed}
&.danger,&.danger>svg{color:var(--bad)}
&.danger[data-focused]{background:var(--bad-soft)}
}
.ui-tabs{display:flex;gap:.25rem;overflow-x:auto;border-bottom:1px solid var(--line);scrollbar-width:none}
.ui-tab{flex:none;margin-bottom:-1px;padding:.5rem .625rem;border-bottom:2px solid transparent;color:var(--soft);font-size:var(--size-sm);font-weight:500;line-height:1.25rem;white-space:nowrap;outline:none;cursor:pointer;transition:color var(--fast) var(--ease);
&:hover{color:var(--text)}
&[aria-selected=true]{border-color:var(--accent);color:var(--text)}
&:focus-visible{outline:var(--ring-width) solid var(--ring);outline-offset:-3px;border-radius:var(--r)}
}
.ui-segments{display:inline-flex;padding:2px;border-radius:var(--r);background:var(--raised)}
.ui-segment{min-height:calc(var(--control) - 4px);padding:0 .75rem;border-radius:var(--r-sm);color:var(--soft);font-size:var(--size-sm);font-weight:500;cursor:pointer;
&:hover{color:var(--text)}
&[data-selected]{background:var(--paper);box-shadow:var(--shadow);color:var(--text)}
}
.ui-backdrop{position:fixed;z-index:50;inset:0;overflow:auto;background:var(--backdrop);&[data-entering]{animation:ui-appear var(--fast) var(--ease)}}
.ui-dialog{width:100%;border:1px solid var(--line);border-radius:var(--r-xl);background:var(--overlay);box-shadow:var(--shadow-dialog);color:var(--text)}
@keyframes ui-appear{from{opacity:0}}
/* Beside a field that has a label, in line with its control. */
@media (min-width:40rem){.ui-beside{margin-top:1.5625rem}}
.ui-card{border:1px solid var(--line);border-radius:var(--r-lg);background:var(--paper)}
/* A row of a list: what it is, then its actions, which wrap to the end of a line of their own. */
.ui-row{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;padding:.75rem 1rem;
>:first-child{flex:1 15rem;min-width:0}
>:last-child:not(:first-child){margin-inline-start:auto}
}
/* Short facts, separated by dots. A dot is in the gap before its fact, so that one at the start of a line is outside and cut off. */
.ui-facts{display:flex;flex-wrap:wrap;align-items:baseline;gap:.125rem .75rem;min-width:0;clip-path:inset(-.25rem);color:var(--soft);font-size:var(--size-sm);line-height:1.25rem;
>*{position:relative}
>:empty{display:none}
>.ui-badge{margin-inline-end:-.25rem}
>:not(.ui-badge)+:not(.ui-badge)::before{content:"·";content:"·"/"";position:absolute;inset-block-start:0;inset-inline-start:-.5rem;font-family:var(--sans)}
}
/* The first letter of a name, in one of eight colors. The tokens have the colors. */
.ui-initial{display:grid;flex:none;place-items:center;width:2rem;height:2rem;border-radius:var(--r-lg);font-size:var(--size-md);font-weight:600;line-height:1;user-select:none}
.ui-initial.small{width:1.25rem;height:1.25rem;border-radius:var(--r-sm);font-size:var(--size-xs)}
.ui-initial[data-hue="1"]{--hue:25}
.ui-initial[data-hue="2"]{--hue:65}
.ui-initial[data-hue="3"]{--hue:110}
.ui-initial[data-hue="4"]{--hue:155}
.ui-initial[data-hue="5"]{--hue:205}
.ui-initial[data-hue="6"]{--hue:305}
.ui-initial[data-hue="7"]{--hue:350}
/* A table whose rows are one line. On a phone, each row is a stack: its name and its end, then the other cells. */
.ui-table{display:grid;width:100%;font-size:var(--size-sm);line-height:1.25rem;
>:is(thead,tbody){display:grid;grid-column:1/-1;grid-template-columns:subgrid}
tr{display:grid;grid-column:1/-1;grid-template-columns:subgrid;align-items:center;position:relative}
th{padding:.375rem .5rem;color:var(--soft);font-size:var(--size-xs);font-weight:500;text-align:start;white-space:nowrap}
td{min-width:0;padding:.25rem .5rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;
>:is(a,bdi,code,span):not(.ui-badge,.ui-button){display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;vertical-align:bottom}
&:has([aria-haspopup],.ui-button,select){overflow:visible}
&:not([data-phone=title]) :is(a,button,.ui-select){position:relative;z-index:1}}
:is(th,td):first-child{padding-inline-start:1rem}
:is(th,td):last-child{padding-inline-end:1rem}
[data-end]{text-align:end;font-variant-numeric:tabular-nums}
>tbody>tr{min-height:2.3125rem;border-top:1px solid var(--line);&:hover{background:var(--raised)}&:last-child{border-end-start-radius:calc(var(--r-lg) - 1px);border-end-end-radius:calc(var(--r-lg) - 1px)}}
}
/* The link or button that opens what a row shows covers the row. */
.ui-row-link{font-weight:500;text-align:start;&::after{content:"";position:absolute;inset:0}&:focus-visible{outline:none;&::after{outline:var(--ring-width) solid var(--ring);outline-offset:-2px;border-radius:var(--r-sm)}}}
.ui-sort{display:inline-flex;align-items:center;gap:.25rem;color:inherit;font:inherit;cursor:pointer;&:hover{color:var(--text)}}
@media (max-width:39.99rem){
.ui-table{display:block;
>tbody{display:block}
>thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
>tbody>tr{display:flex;flex-wrap:wrap;gap:.125rem .75rem;padding:.5rem 1rem;&:first-child{border-top-color:transparent}&::before{content:"";order:1;flex-basis:100%}}
td,:is(th,td):first-child,:is(th,td):last-child{padding:0}
td{order:2;min-width:0;max-width:100%;color:var(--soft);text-align:start;&:empty{display:none}}
td[data-phone=title]{order:0;flex:1 1 0;color:var(--text)}
td[data-phone=end]{order:0;flex:none;color:var(--text)}
td:is([data-phone=line],[data-phone=wrap]){flex-basis:100%}
td[data-phone=wrap]{&,>*{white-space:normal}}
/* A dot is in the padding before its cell. Of a cell that starts a line, the padding of the row has it and is covered. */
td[data-phone=below]{position:relative;max-width:calc(100% + .75rem);margin-inline-start:-.75rem;padding-inline-start:.75rem;&::before{content:"·";content:"·"/"";position:absolute;inset-inline-start:.25rem}}
>tbody>tr::after{content:"";position:absolute;inset-block:.5rem;inset-inline-start:0;z-index:1;width:1rem;background:var(--paper);pointer-events:none}
>tbody>tr:hover::after{background:var(--raised)}
td[data-phone=none]{display:none}
}}
.ui-pick{display:flex;align-items:flex-start;gap:.625rem;padding:.625rem .75rem;border:1px solid var(--line-strong);border-radius:var(--r);background:var(--paper);font-size:var(--size-sm);line-height:1.25rem;cursor:pointer;
>.ui-mark{margin-top:calc((1.25rem - var(--mark))/2)}
&:hover{border-color:var(--edge)}
&[data-selected]{border-color:var(--accent);background:var(--strong-soft)}
&[data-disabled]{background:var(--raised);color:var(--faint);cursor:not-allowed}
}
.ui-skeleton{border-radius:var(--r);background:var(--raised);animation:ui-pulse 1.6s ease-in-out infinite}
@keyframes ui-pulse{50%{opacity:.5}}
/* The name of a button that is only an icon. */
.ui-button.icon{position:relative;
&:is(:hover,[data-focus-visible]):not([aria-expanded=true])::after{content:attr(aria-label);content:attr(aria-label)/"";position:absolute;z-index:40;inset-block-start:calc(100% + .25rem);inset-inline-end:0;width:max-content;max-width:14rem;padding:.125rem .4375rem;border-radius:var(--r-sm);background:var(--text);color:var(--back);font-size:var(--size-xs);font-weight:400;line-height:1.125rem;white-space:normal;text-align:start;pointer-events:none;animation:ui-appear var(--fast) var(--ease) .4s both}
}
@media (hover:none){.ui-button.icon::after{display:none}}
`;
