// Fills the harbour board on the front page; without scripts the page keeps its plain sentence.
const board = document.getElementById("harbour-board");

if (board) {
  fetch("/data/board.json")
    .then((answer) => answer.json())
    .then((today) => {
      board.textContent = `${today.wind}. ${today.sea}. Flag at the quay: ${today.flag}.`;
    });
}
