"use strict";
// Keeps the age of the answer true, and tells when there is a newer one. Moves nothing.

const age = document.getElementById("age");
if (age) watch(age);

function watch(age) {
  const shown = age.querySelector("strong"), told = age.querySelector(".newer");
  const begun = performance.now(), before = +age.dataset.age, most = +age.dataset.staleAfter;
  let line = null, newer = false;

  function duration(seconds) {
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);
    if (hours < 1) return `${minutes} min`;
    const two = (large, unit, small, less) => small ? `${large} ${unit} ${small} ${less}` : `${large} ${unit}`;
    return days < 1 ? two(hours, "h", minutes % 60, "min") : two(days, "d", hours % 24, "h");
  }

  function tell() {
    const seconds = before + Math.floor((performance.now() - begun) / 1000);
    shown.textContent = `${duration(seconds)} ago`;
    age.classList.toggle("old", seconds > most);
    if (!newer && seconds > most) told.textContent = "These answers are old.";
  }

  function offer() {
    if (newer) return;
    newer = true;
    const again = document.createElement("a");
    again.href = location.href;
    again.textContent = "There is a newer answer";
    told.replaceChildren(again);
  }

  // One line only while somebody looks: a browser allows few to the same service.
  function listen() {
    if (document.hidden || newer) {
      if (line) line.close();
      line = null;
    } else if (!line) {
      line = new EventSource(age.dataset.events);
      line.addEventListener("tick", (event) => {
        if (event.lastEventId === age.dataset.tick) return;
        offer();
        listen();
      });
    }
  }

  setInterval(tell, 5000);
  document.addEventListener("visibilitychange", listen);
  listen();
}
